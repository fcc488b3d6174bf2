import '../styles/manage.css';
import { Button } from '@mantine/core';
import { IconPointFilled, IconToggleLeft } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import { Card } from '../parts/card.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Question } from '../parts/question.tsx';
import { Badge } from '../parts/status-badge.tsx';
import { elsewhere, OwnPassword } from './own-password.tsx';
import { SecondFactorSetUp } from './second-factor-set-up.tsx';
import { usePlace } from './session.tsx';
import { SessionList } from './session-list.tsx';

/** What users decide about their own sign-in. */
export function OwnAccountPage() {
  const { user } = usePlace().session;
  return (
    <div className="form-page">
      <PageHeader title="Your account" sentence={user.email} />
      <div className="stack">
        <SecondFactor isOn={user.has_second_factor} />
        <Card title="Where you are signed in">
          <SessionList userId={user.id} />
        </Card>
      </div>
    </div>
  );
}

function SecondFactor({ isOn }: { isOn: boolean }) {
  const reread = useReread();
  const [isAsked, setIsAsked] = useState(false);
  return (
    <Card
      title="Second factor"
      aside={
        isOn ? (
          <Badge look={{ tone: 'green', icon: IconPointFilled }} word="On" />
        ) : (
          <Badge look={{ tone: 'gray', icon: IconToggleLeft }} word="Off" />
        )
      }
    >
      <div className="card-body">
        {isOn ? (
          <div className="stack">
            <p>
              A sign-in takes a code of your authenticator. For another phone or new recovery codes,
              remove the second factor and set it up again.
            </p>
            <div>
              <Button color="red" onClick={() => setIsAsked(true)}>
                Remove…
              </Button>
            </div>
          </div>
        ) : (
          <SecondFactorSetUp onDone={() => void reread(['session'])} />
        )}
      </div>
      <Removal isAsked={isAsked} onClose={() => setIsAsked(false)} />
    </Card>
  );
}

function Removal({ isAsked, onClose }: { isAsked: boolean; onClose: () => void }) {
  const reread = useReread();
  const [password, setPassword] = useState('');
  const close = () => {
    setPassword('');
    removal.reset();
    onClose();
  };
  const removal = useMutation({
    mutationFn: () => call('DELETE', '/me/totp', null, { current_password: password }),
    onSuccess: async () => {
      close();
      await reread(['session']);
    },
  });
  return (
    <Question
      isAsked={isAsked}
      title="Remove your second factor?"
      go="Remove"
      isDestructive
      isReady={password !== ''}
      isPending={removal.isPending}
      error={elsewhere(removal.error)}
      onKeep={close}
      onGo={() => removal.mutate()}
    >
      <p>From now on your password alone lets you in. Your recovery codes end, too.</p>
      <OwnPassword value={password} error={removal.error} onChange={setPassword} />
    </Question>
  );
}
