// Selects the size of a suite: a fixed sample in `npm test`, and the whole suite in `npm test -- --full` or its own
// command.

export const isFullSize = (): boolean => process.env.PAWL_TEST_SIZE === "full";

export const testSize = <T>({ sample, full }: { readonly sample: T; readonly full: T }): T =>
  isFullSize() ? full : sample;
