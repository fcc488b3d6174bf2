/** The oldest PostgreSQL that knows what our statements use: `uuidv7()` and `returning old`. */
const oldestMajor = 18;

/** A server's settings `server_version_num` and `server_version`. */
export interface ServerVersion {
  readonly number: number;
  readonly name: string;
}

/** @returns what is wrong and what to do, in one line; undefined where the server is new enough. */
export function tooOldServer({ number, name }: ServerVersion): string | undefined {
  if (number >= oldestMajor * 10_000) return undefined;
  return (
    `DATABASE_URL names a PostgreSQL ${shortName(name)}, and Parley needs ${oldestMajor} or later: ` +
    'see docs/self-hosting.md for the packages'
  );
}

/** The version without the name of the package that brought it. */
export function shortName(name: string): string {
  return name.split(' ')[0] ?? name;
}
