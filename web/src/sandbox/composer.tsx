import { Menu } from '@mantine/core';
import { IconMicrophone, IconMoodSmile, IconPaperclip, IconSend2 } from '@tabler/icons-react';
import { type SyntheticEvent, useState } from 'react';
import { simulatorReplyLimits } from '../api/limits/simulator-reply.ts';
import { ActionMenu } from '../parts/action-menu.tsx';

/** What the user can send besides text. */
export type Attachment = 'image' | 'voice' | 'location' | 'contact' | 'ad';

interface ComposerProps {
  readonly isBusy: boolean;
  readonly onWrite: (text: string) => Promise<unknown>;
  readonly onAttach: (kind: Attachment) => void;
  readonly onEcho: () => void;
}

/** Where the user writes, or attaches something. */
export function Composer({ isBusy, onWrite, onAttach, onEcho }: ComposerProps) {
  const [text, setText] = useState('');
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (text.trim() === '' || isBusy) return;
    onWrite(text).then(
      () => setText(''),
      // What was written stays; the page says why it did not go.
      () => undefined,
    );
  };
  return (
    <form className="phone-foot row" onSubmit={submit}>
      <span className="phone-pill row">
        <IconMoodSmile size={20} stroke={1.65} aria-hidden="true" />
        <input
          aria-label="Message"
          placeholder="Message"
          maxLength={simulatorReplyLimits.text.maxLength}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <ActionMenu name="Attach" icon={IconPaperclip}>
          <Menu.Item onClick={() => onAttach('image')}>Picture</Menu.Item>
          <Menu.Item onClick={() => onAttach('voice')}>Voice note</Menu.Item>
          <Menu.Item onClick={() => onAttach('location')}>Location…</Menu.Item>
          <Menu.Item onClick={() => onAttach('contact')}>Contact…</Menu.Item>
          <Menu.Item onClick={() => onAttach('ad')}>Message from an ad…</Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={onEcho}>Write in the Business app…</Menu.Item>
        </ActionMenu>
      </span>
      {text.trim() === '' ? (
        <span className="phone-mic" aria-hidden="true">
          <IconMicrophone size={20} />
        </span>
      ) : (
        <button type="submit" className="phone-mic" aria-label="Send" disabled={isBusy}>
          <IconSend2 size={19} />
        </button>
      )}
    </form>
  );
}
