import { Dialog } from './dialog.tsx';
import { DialogForm, type DialogFormProps } from './dialog-form.tsx';

interface QuestionProps extends DialogFormProps {
  readonly isAsked: boolean;
  /** The question, with the name of the thing. */
  readonly title: string;
}

/** Asks before something is done. */
export function Question({ isAsked, title, ...form }: QuestionProps) {
  return (
    <Dialog opened={isAsked} onClose={form.onKeep} title={title}>
      {/* While it fades, its button is still there. */}
      <DialogForm {...form} onGo={() => isAsked && form.onGo()} />
    </Dialog>
  );
}
