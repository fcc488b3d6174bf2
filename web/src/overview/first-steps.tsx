import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ApiKey } from '../api/types.ts';
import { Card } from '../parts/card.tsx';

interface Step {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly to: NonNullable<LinkProps['to']>;
  readonly isDone: boolean;
}

/** From a key to the first message; shown until a key has made a call. */
export function FirstSteps({ keys }: { keys: readonly ApiKey[] }) {
  const steps: Step[] = [
    {
      title: 'Create a key',
      text: 'What your program signs in with. A test key sends to the simulator, free.',
      button: 'Create key',
      to: '/keys/new',
      isDone: keys.length > 0,
    },
    {
      title: 'Simulate a message',
      text: 'See it on a phone, and exactly what would go to WhatsApp. Nothing is sent.',
      button: 'Open playground',
      to: '/playground',
      isDone: false,
    },
    {
      title: 'Send it from your program',
      text: 'The playground has the same request as curl, TypeScript and Python.',
      button: 'Take the code',
      to: '/playground',
      isDone: false,
    },
    {
      title: 'See what became of it',
      text: 'Every message has a page with its timeline and each attempt to send it.',
      button: 'Open messages',
      to: '/messages',
      isDone: false,
    },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <Card title="From a key to the first message">
      {steps.map((step, index) => (
        <div key={step.title} className="step" data-done={step.isDone}>
          <span className="step-number">
            {step.isDone ? <IconCheck size={15} aria-label="Done" /> : index + 1}
          </span>
          <div className="grow">
            <div className="strong">{step.title}</div>
            <div className="secondary">{step.text}</div>
          </div>
          <Button component={Link} to={step.to} variant={index === next ? 'filled' : 'default'}>
            {step.button}
          </Button>
        </div>
      ))}
    </Card>
  );
}
