/** Where a program is bundled, a frame that source maps do not lead to our sources is one of a package. */
const bundledFrame = /\n {4}at [^\n]*[\\/]dist[\\/](?:chunks|src)[\\/][^\n]*\.cjs:\d+:\d+\)?(?=\n|$)/g;

/** The stack of an error, without frames that name a place in a bundle: nobody can look there. */
export const stackText = (error: Error): string | undefined =>
  error.stack?.replaceAll(bundledFrame, '');
