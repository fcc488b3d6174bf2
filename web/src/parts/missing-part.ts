/** A part of the dashboard did not load: Parley does not answer, or an update replaced the file. */
export class MissingPart extends Error {
  constructor(cause: unknown) {
    super('A part of this page could not be loaded: Parley may have been updated.', { cause });
    this.name = 'MissingPart';
  }
}

/**
 * Loads a part. The router answers a failed import with a reload, which ends on the browser's own page
 * where Parley does not answer; an error of another name is left to us.
 */
export const part =
  <Module>(load: () => Promise<Module>) =>
  () =>
    load().catch((cause: unknown) => {
      throw new MissingPart(cause);
    });
