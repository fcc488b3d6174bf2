import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { part } from './missing-part.ts';

/** A component whose code is loaded when it is first shown, or by `preload` before that. */
export function lazyPart<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  const loaded = part(load);
  const Part = lazy(async () => ({ default: (await loaded())[name] }));
  // A failure is reported when the part is shown.
  return Object.assign(Part, { preload: () => void loaded().catch(() => undefined) });
}

interface OnceOpenedProps {
  readonly isOpen: boolean;
  /** What opens: a lazy part. */
  readonly children: (isOpen: boolean) => ReactNode;
}

/** Loads what opens when it is first opened. From then on it stays, so that it can fade out. */
export function OnceOpened({ isOpen, children }: OnceOpenedProps) {
  const [wasOpened, setWasOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setWasOpened(true);
  return (
    wasOpened && (
      <Suspense fallback={null}>
        <FirstClosed isOpen={isOpen}>{children}</FirstClosed>
      </Suspense>
    )
  );
}

/** Mantine remembers where the focus was, and returns it, only when what was closed opens. */
function FirstClosed({ isOpen, children }: OnceOpenedProps) {
  const [isThere, setIsThere] = useState(false);
  // Runs when the code is there: until then, nothing in the Suspense is mounted.
  useEffect(() => setIsThere(true), []);
  return children(isOpen && isThere);
}
