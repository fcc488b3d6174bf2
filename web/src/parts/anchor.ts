import { type Ref, useImperativeHandle } from 'react';
import type { Opened } from './opener.ts';

interface AnchorProps {
  readonly opener: Opened['opener'];
  readonly ref?: Ref<HTMLElement>;
}

/** Stands for the opener as Mantine’s target: the button itself is on the page before Mantine’s code. */
export function Anchor({ opener, ref }: AnchorProps) {
  useImperativeHandle(ref, () => opener.current as HTMLElement, [opener]);
  return null;
}
