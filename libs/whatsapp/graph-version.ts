/** The last day of each version, by Meta's changelog; null for the newest, whose end is not announced. */
const lastDays: ReadonlyMap<string, string | null> = new Map([
  ['v20.0', '2026-09-24'],
  ['v21.0', '2027-01-21'],
  ['v22.0', '2027-05-20'],
  ['v23.0', '2027-10-08'],
  ['v24.0', '2028-02-18'],
  ['v25.0', '2028-07-29'],
  ['v26.0', null],
]);

/** A version of the Graph API, and until when Meta serves it. */
export interface GraphVersion {
  /** Such as `v25.0`; null if the address names none. */
  readonly version: string | null;
  /** `unknown`: not in Parley's table. */
  readonly state: 'lives' | 'expired' | 'unknown';
  /** Its last day; null if that is not known. */
  readonly until: string | null;
}

/** The version at the end of a base address. */
export function graphVersionOf(baseUrl: string, now: Date): GraphVersion {
  const [version = null] = /(?<=\/)v\d+\.\d+$/.exec(baseUrl) ?? [];
  const until = version === null ? undefined : lastDays.get(version);
  if (until === undefined) return { version, state: 'unknown', until: null };
  return { version, state: isOver(until, now) ? 'expired' : 'lives', until };
}

/** What a version means for whoever runs Parley. */
export function graphVersionText({ version, state, until }: GraphVersion, now: Date): string {
  if (version === null) {
    return 'PLATFORM_BASE_URL names no version of the Graph API: until when it is served is unknown.';
  }
  const subject = `Version ${version} of the Graph API`;
  if (state === 'unknown') {
    return `${subject} is unknown to this version of Parley, and so is until when it is served.`;
  }
  if (state === 'expired') {
    return `${subject} ended on ${until}. Meta serves it with ${oldestAt(now)}, the oldest that lives: set a newer one in PLATFORM_BASE_URL.`;
  }
  return until === null
    ? `${subject} is the newest; Meta has not said until when it is served.`
    : `${subject} is served until ${until}.`;
}

function isOver(lastDay: string | null, now: Date): boolean {
  return lastDay !== null && now.toISOString().slice(0, 10) > lastDay;
}

function oldestAt(now: Date): string | undefined {
  return [...lastDays].find(([, lastDay]) => !isOver(lastDay, now))?.[0];
}
