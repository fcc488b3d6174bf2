const storedAs = 'parley.dismissed-jobs';

/** So many are remembered; older ones have left the list of jobs by then. */
const most = 50;

/** The jobs whose lines somebody has dismissed in this browser, the last one first. */
export function dismissedJobs(): readonly string[] {
  return (localStorage.getItem(storedAs) ?? '').split(',').filter(Boolean);
}

export function dismissJob(id: string): void {
  const ids = [id, ...dismissedJobs().filter((each) => each !== id)].slice(0, most);
  localStorage.setItem(storedAs, ids.join(','));
}
