import { fullTime, rowTime, since } from './times.ts';
import { useZone } from './zone.ts';

interface MomentProps {
  readonly at: string;
  readonly ago?: boolean;
}

/** A time as people read it; the full one on hover. */
export function Moment({ at, ago = false }: MomentProps) {
  useZone();
  return (
    <time className="moment" dateTime={at} title={fullTime(at)}>
      {ago ? since(at) : rowTime(at)}
    </time>
  );
}
