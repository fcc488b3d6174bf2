import type { ReactNode, SyntheticEvent } from 'react';
import { PhoneSheet } from '../phone/phone-sheet.tsx';

/** What every form on the phone gets. */
export interface SheetProps {
  readonly isBusy: boolean;
  readonly onClose: () => void;
}

interface FormSheetProps extends SheetProps {
  readonly title: string;
  /** What its button says. */
  readonly send: string;
  readonly isReady?: boolean;
  readonly onSend: () => void;
  readonly children: ReactNode;
}

/** A form that comes up on the phone. */
export function FormSheet(props: FormSheetProps) {
  const { title, send, isReady = true, isBusy, onSend, onClose, children } = props;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isReady && !isBusy) onSend();
  };
  return (
    <PhoneSheet title={title} close="Close the form" onClose={onClose}>
      <form className="sheet-form" noValidate onSubmit={submit}>
        <div className="sheet-fields">{children}</div>
        <button type="submit" className="sheet-send" disabled={!isReady || isBusy}>
          {send}
        </button>
      </form>
    </PhoneSheet>
  );
}
