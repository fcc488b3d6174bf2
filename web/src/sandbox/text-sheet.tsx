import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { simulatorEditLimits } from '../api/limits/simulator-edit.ts';
import { FormSheet, type SheetProps } from './form-sheet.tsx';

interface TextSheetProps extends SheetProps {
  readonly title: string;
  readonly send: string;
  /** What stands there at first. */
  readonly text: string;
  readonly onSend: (text: string) => void;
}

/** Asks for the words of a message. */
export function TextSheet({ title, send, text: before, onSend, ...sheet }: TextSheetProps) {
  const [text, setText] = useState(before);
  return (
    <FormSheet
      {...sheet}
      title={title}
      send={send}
      isReady={text.trim() !== '' && text !== before}
      onSend={() => onSend(text.trim())}
    >
      <TextInput
        label="Text"
        autoComplete="off"
        maxLength={simulatorEditLimits.text.maxLength}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </FormSheet>
  );
}
