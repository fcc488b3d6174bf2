import { useEffect, useState } from 'react';

/** Whether a time is still to come. It becomes false by itself. */
export function useIsAhead(time: string | null): boolean {
  const [over, setOver] = useState<string | null>(null);
  useEffect(() => {
    if (time === null) return;
    const timer = setTimeout(() => setOver(time), Date.parse(time) - Date.now());
    return () => clearTimeout(timer);
  }, [time]);
  return time !== null && time !== over && Date.parse(time) > Date.now();
}
