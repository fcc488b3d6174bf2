import type { ModalProps } from '@mantine/core';
import { lazyPart, OnceOpened } from './lazy-part.tsx';

const DialogFrame = lazyPart(() => import('./dialog-frame.ts'), 'DialogFrame');

/** Loads the code of dialogs before one is opened. */
export const preloadDialog = DialogFrame.preload;

/** A dialog, whose code is loaded when it is first opened. */
export function Dialog({ opened, ...modal }: ModalProps) {
  return (
    <OnceOpened isOpen={opened}>
      {(isShown) => <DialogFrame {...modal} opened={isShown} />}
    </OnceOpened>
  );
}
