// The English plural: "1 run", "2 runs".
const number = new Intl.NumberFormat("en");

export const plural = (amount: number, noun: string, nouns = `${noun}s`): string =>
  `${number.format(amount)} ${amount === 1 ? noun : nouns}`;
