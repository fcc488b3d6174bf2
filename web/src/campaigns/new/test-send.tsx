import { Button, TextInput } from '@mantine/core';
import { IconDeviceMobile } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { readPhoneNumber } from '../../../../libs/phone-numbers/read-phone-number.ts';
import { call } from '../../api/client.ts';
import { useGuardedMutation } from '../../parts/mutation.ts';
import { Question } from '../../parts/question.tsx';
import { sendingWords } from '../../session/destination.ts';
import { useKeptState } from '../../session/kept-state.ts';
import { usePlace } from '../../session/session.tsx';
import { shownValue } from '../../templates/mapping/mapping-draft.ts';
import type { StepProps } from './steps.tsx';

const textOf = (stored: unknown) => (typeof stored === 'string' ? stored : null);

/** Sends the campaign's message to one number, filled with examples. */
export function TestSend({ campaign, lines }: StepProps) {
  const { session } = usePlace();
  const [isAsked, setIsAsked] = useState(false);
  const [number, setNumber] = useKeptState('own number', '', textOf);
  const [isLeft, setIsLeft] = useState(false);
  const read = readPhoneNumber(number);
  const send = useGuardedMutation({
    mutationFn: async (to: string) => {
      const { data } = await call('POST', '/playground', null, {
        mode: 'send',
        api_key_id: campaign.api_key_id,
        type: 'template_send',
        payload: {
          to,
          template_name: campaign.template_name,
          language: campaign.language,
          variables: Object.fromEntries(lines.map((line) => [line.name, shownValue(line)])),
        },
      });
      return 'message_uuid' in data ? data.message_uuid : '';
    },
    onSuccess: () => setIsAsked(false),
  });
  return (
    <>
      {send.isSuccess && (
        <span className="small" role="status">
          Test sent.{' '}
          <Link to="/messages/$messageId" params={{ messageId: send.data }} className="link">
            See what became of it
          </Link>
        </span>
      )}
      <Button
        leftSection={<IconDeviceMobile size={16} />}
        onClick={() => {
          send.reset();
          setIsAsked(true);
        }}
      >
        Send a test to me…
      </Button>
      <Question
        isAsked={isAsked}
        title="Send a test to yourself?"
        go="Send test"
        isReady={'phone' in read}
        isPending={send.isPending}
        error={send.error}
        effect="No test was sent."
        onKeep={() => setIsAsked(false)}
        onGo={() => 'phone' in read && send.mutate(read.phone)}
      >
        <p>
          One message, filled with examples, with the key of the campaign.{' '}
          {sendingWords(campaign.mode, session)}
        </p>
        <TextInput
          data-autofocus
          label="Your number"
          description="With country code"
          inputMode="tel"
          value={number}
          error={isLeft && 'fault' in read && read.fault}
          onBlur={() => setIsLeft(number !== '')}
          onChange={(event) => setNumber(event.currentTarget.value)}
        />
      </Question>
    </>
  );
}
