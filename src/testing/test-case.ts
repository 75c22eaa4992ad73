// Creates the cases of a contract.
type Run<Subjects extends readonly unknown[]> = (...subjects: Subjects) => Promise<void>;

export const testCase = <Subjects extends readonly unknown[]>(name: string, run: Run<Subjects>) => ({ name, run });

/** For a case that needs several handles on the same data. */
export const onHandles = <Store>(name: string, run: Run<[open: () => Promise<Store>]>) => testCase(name, run);

export const onOneHandle = <Store>(name: string, run: Run<[store: Store]>) =>
  testCase(name, async (open: () => Promise<Store>) => run(await open()));
