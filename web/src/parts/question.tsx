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
      <DialogForm {...form} />
    </Dialog>
  );
}
