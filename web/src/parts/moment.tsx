import { fullTime, shortTime, since } from './times.ts';

interface MomentProps {
  readonly at: string;
  readonly ago?: boolean;
}

/** A time as people read it; the full one on hover. */
export function Moment({ at, ago = false }: MomentProps) {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {ago ? since(at) : shortTime(at)}
    </time>
  );
}
