import { InvalidArgumentError } from 'commander';

/** Reads an option that is a whole number. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d{1,9}$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`);
  };
}
