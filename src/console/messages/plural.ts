// Returns English plurals, such as "1 run" and "2 runs".
const number = new Intl.NumberFormat("en");

export const plural = (amount: number, noun: string, nouns = `${noun}s`): string =>
  `${number.format(amount)} ${amount === 1 ? noun : nouns}`;
