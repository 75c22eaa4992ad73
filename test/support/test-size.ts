// The size of a suite: a fixed sample in `npm test`, the whole in `npm test -- --full` and in the suite's own command.

export const isFullSize = (): boolean => process.env.PAWL_TEST_SIZE === "full";

export const testSize = <T>({ sample, full }: { readonly sample: T; readonly full: T }): T =>
  isFullSize() ? full : sample;
