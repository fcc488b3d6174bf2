import { Button } from '@mantine/core';
import { IconBan, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { Campaign } from '../api/types.ts';
import { useGuardedMutation } from '../parts/mutation.ts';
import { Question } from '../parts/question.tsx';
import { CampaignAgain } from './again/campaign-again.tsx';
import { cancelWords, isPassing, resumeWords } from './campaign-words.ts';

type Verb = 'pause' | 'resume' | 'cancel';

/** Pauses, resumes and cancels a campaign, and tries it again; asks before what cannot be taken back at once. */
export function CampaignActions({ campaign }: { campaign: Campaign }) {
  const { id, name, status } = campaign;
  const reread = useReread();
  const [asked, setAsked] = useState<Exclude<Verb, 'pause'> | null>(null);
  const steer = useGuardedMutation({
    mutationFn: (verb: Verb) => call('POST', `/campaigns/{id}/${verb}`, { id }),
    // Where it was refused, its status has changed meanwhile: the page shows it.
    onSettled: () => reread(['campaign', id], ['campaigns'], ['overview'], ['alerts']),
    onSuccess: () => setAsked(null),
  });
  const ask = (verb: Exclude<Verb, 'pause'>) => {
    steer.reset();
    setAsked(verb);
  };
  const isDraft = status === 'draft';
  const isPaused = status === 'paused';
  const isEnded = status === 'completed' || status === 'cancelled';
  const question = {
    isPending: steer.isPending,
    error: steer.error,
    onKeep: () => setAsked(null),
  };
  return (
    <>
      {steer.error && asked === null && (
        <span className="small wrong" role="alert">
          {steer.error.message}
        </span>
      )}
      {(status === 'running' || status === 'scheduled' || (isPaused && isPassing(campaign))) && (
        <Button
          leftSection={<IconPlayerPause size={16} />}
          loading={steer.isPending && asked === null}
          onClick={() => steer.mutate('pause')}
        >
          {isPaused ? 'Keep paused' : 'Pause'}
        </Button>
      )}
      {isPaused && (
        <Button
          variant="filled"
          leftSection={<IconPlayerPlay size={16} />}
          onClick={() => ask('resume')}
        >
          Resume…
        </Button>
      )}
      {isEnded ? (
        <CampaignAgain campaign={campaign} />
      ) : (
        <Button className="wrong" leftSection={<IconBan size={16} />} onClick={() => ask('cancel')}>
          {isDraft ? 'Delete draft…' : 'Cancel…'}
        </Button>
      )}
      <Question
        {...question}
        isAsked={asked === 'resume'}
        title={`Resume “${name}”?`}
        keep="Keep it paused"
        go="Resume campaign"
        onGo={() => steer.mutate('resume')}
      >
        <Sentences texts={resumeWords(campaign, Date.now())} />
      </Question>
      <Question
        {...question}
        isAsked={asked === 'cancel'}
        title={isDraft ? `Delete the draft “${name}”?` : `Cancel “${name}”?`}
        keep={isDraft ? 'Keep draft' : 'Keep campaign'}
        go={isDraft ? 'Delete draft' : 'Cancel campaign'}
        isDestructive
        onGo={() => steer.mutate('cancel')}
      >
        <Sentences texts={cancelWords(campaign)} />
      </Question>
    </>
  );
}

const Sentences = ({ texts }: { texts: readonly string[] }) =>
  texts.map((text) => <p key={text}>{text}</p>);
