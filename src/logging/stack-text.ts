/** Where a program is bundled, a frame that source maps do not lead to our sources is one of a package. */
const isBundled = (line: string) => /[\\/]dist[\\/]/.test(line) && /\.cjs:\d+:\d+\)?$/.test(line);

/** The stack of an error, without frames that name a place in a bundle: nobody can look there. */
export const stackText = (error: Error): string | undefined =>
  error.stack
    ?.split('\n')
    .filter((line) => !isBundled(line))
    .join('\n');
