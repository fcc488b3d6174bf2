import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { Mode } from '../api/types.ts';
import { sendingWords } from '../session/destination.ts';
import { usePlace } from '../session/session.tsx';

interface FirstStepsProps {
  /** The name of a key that can be used; null when there is none. */
  readonly keyName: string | null;
  readonly keyMode: Mode | null;
  /** Whether a key says where webhooks go. */
  readonly isReceived: boolean;
  readonly progress: Progress;
}

/** How far the user has come, from a key to a reply. */
export interface Progress {
  readonly hasSent: boolean;
  readonly hasAnswer: boolean;
  readonly isDelivered: boolean;
}

interface Step {
  readonly title: string;
  readonly text: string;
  /** Null where the user may not take the step. */
  readonly button: string | null;
  readonly link: Pick<LinkProps, 'to' | 'search'>;
  readonly isDone: boolean;
}

/** The steps from a key to the first reply, for users who have read nothing else. */
export function FirstSteps({ keyName, keyMode, isReceived, progress }: FirstStepsProps) {
  const { session, mayChange } = usePlace();
  const { hasSent, hasAnswer, isDelivered } = progress;
  const maySend = mayChange || keyName !== null;
  const steps: Step[] = [
    {
      title: 'A key to start with',
      text: keyName
        ? `The key “${keyName}” is ready. Programs authenticate with it.`
        : mayChange
          ? 'Programs authenticate with it. A test key sends to the simulator, free of charge.'
          : 'An administrator creates it. You send with test keys only.',
      button: keyName || !mayChange ? 'View keys' : 'Create key',
      link: { to: keyName || !mayChange ? '/keys' : '/keys/new' },
      isDone: keyName !== null,
    },
    {
      title: 'Send a message',
      text: maySend
        ? 'Write a few buttons, watch the preview, choose “Send real message” and send.'
        : 'You can do it as soon as there is a test key.',
      button: maySend ? 'Open playground' : null,
      link: { to: '/playground', search: { type: 'button' } },
      isDone: hasSent,
    },
    {
      title: 'Answer as your customer',
      text: 'Tap a button of the message on the sandbox phone.',
      button: 'Open sandbox phone',
      link: { to: '/sandbox' },
      isDone: hasAnswer,
    },
    {
      title: 'See the reply arrive',
      text: isReceived
        ? 'Each tap becomes a signed webhook to the key’s URL.'
        : 'Each tap becomes a signed webhook, as soon as a key has your program’s URL.',
      button: 'View webhooks',
      link: { to: '/webhooks' },
      isDone: isDelivered,
    },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <section className="card steps" aria-label="From here to your first reply">
      <div className="steps-head">
        <h2>From here to your first reply</h2>
        <p className="secondary">
          {next === -1
            ? 'Done: a reply has been delivered to your program.'
            : `Four steps, about three minutes.${keyMode ? ` ${sendingWords(keyMode, session)}` : ''}`}
        </p>
      </div>
      <ol>
        {steps.map((step, index) => (
          <li
            key={step.title}
            data-state={step.isDone ? 'done' : index === next ? 'next' : 'later'}
            aria-current={index === next ? 'step' : undefined}
          >
            <span className="step-number">
              {step.isDone ? <IconCheck size={15} stroke={2.2} aria-label="Done" /> : index + 1}
            </span>
            <div className="grow">
              <h3>{step.title}</h3>
              <p className="secondary">{step.text}</p>
            </div>
            {step.button !== null && (
              <Button
                renderRoot={(props) => <Link {...step.link} {...props} />}
                size="xs"
                variant={index === next ? 'filled' : 'default'}
              >
                {step.button}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
