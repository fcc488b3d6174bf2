import { exactTime, fullTime, minuteTime, rowTime, since } from './times.ts';
import { useZone } from './zone.ts';

interface MomentProps {
  readonly at: string;
  readonly ago?: boolean;
  /** How exact it is; default: to the second. */
  readonly to?: 'minute' | 'millisecond';
}

const formats = { minute: minuteTime, second: rowTime, millisecond: exactTime };

/** A time as people read it; the full one on hover. */
export function Moment({ at, ago = false, to }: MomentProps) {
  useZone();
  return (
    <time className="moment" dateTime={at} title={fullTime(at)}>
      {ago ? since(at) : formats[to ?? 'second'](at)}
    </time>
  );
}
