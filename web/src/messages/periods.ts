/** How far back the list of messages goes, as in the address. */
export const periods: Readonly<Record<string, string>> = {
  today: 'Today',
  week: 'Last 7 days',
};

const daysBefore: Readonly<Record<string, number>> = { today: 0, week: 6 };

/** The start of a period: a local midnight, so that it stays the same all day. */
export function beginOf(period: string, now = new Date()): string | undefined {
  const days = daysBefore[period];
  if (days === undefined) return undefined;
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).toISOString();
}
