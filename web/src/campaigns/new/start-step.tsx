import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { estimateQuery } from '../../api/campaign-queries.ts';
import { call } from '../../api/client.ts';
import { useReread } from '../../api/reread.ts';
import { Card } from '../../parts/card.tsx';
import { Fact } from '../../parts/facts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { useGuardedMutation } from '../../parts/mutation.ts';
import { amount, counted } from '../../parts/numbers.ts';
import { Question } from '../../parts/question.tsx';
import { destinationOf, sendingWords } from '../../session/destination.ts';
import { usePlace } from '../../session/session.tsx';
import { sendingWordsOf } from '../campaign-words.ts';
import { StepButton } from '../step-button.tsx';
import { EstimateText } from './estimate-text.tsx';
import { firstOf, RecipientPhone } from './recipient-phone.tsx';
import type { StepProps } from './steps.tsx';
import { TestSend } from './test-send.tsx';
import { forgetUpload } from './upload-memory.ts';

const eventWords = { all: 'All statuses', failed: 'Failures only', none: 'None' } as const;

/** A last look before the campaign begins. */
export function StartStep({ campaign, template, lines }: StepProps) {
  const { id, counts, mode, per_second: perSecond, send_at: sendAt, pause_on: pauseOn } = campaign;
  const { session } = usePlace();
  const reread = useReread();
  const navigate = useNavigate();
  const [isAsked, setIsAsked] = useState(false);
  const estimate = useQuery(estimateQuery(id)).data;
  const start = useGuardedMutation({
    mutationFn: () => call('POST', '/campaigns/{id}/start', { id }),
    onSuccess: async () => {
      forgetUpload(id);
      await reread(['campaign', id], ['campaigns'], ['overview']);
      await navigate({ to: '/campaigns/$campaignId', params: { campaignId: id } });
    },
  });
  const isReal = destinationOf(mode, session) === 'whatsapp';
  const whom = counts.total === 1 ? '1 person' : `${amount(counts.total)} people`;
  return (
    <>
      <div className="draft-columns">
        <Card title="Check">
          <dl className="facts card-body">
            <Fact name="Recipients">{counted(counts.total, 'recipient')}</Fact>
            <Fact name="Template">
              <code>{campaign.template_name}</code>, {campaign.language}
            </Fact>
            <Fact name="Begins">{sendAt ? <Moment at={sendAt} /> : 'As soon as you start it'}</Fact>
            <Fact name="At most">
              {perSecond === null
                ? 'As fast as the number may send'
                : `${amount(perSecond)} a second`}
            </Fact>
            <Fact name="Webhooks get">{eventWords[campaign.message_events]}</Fact>
            <Fact name="Pauses at">
              {pauseOn && `${amount(Math.round(pauseOn.failure_rate * 100))} % failed messages`}
            </Fact>
          </dl>
          <p className={`card-body campaign-note ${isReal ? 'charges' : 'secondary'}`}>
            {sendingWords(mode, session)}
          </p>
        </Card>
        <RecipientPhone template={template} lines={lines} samples={firstOf(campaign)} />
      </div>
      <div className="draft-foot">
        <EstimateText campaign={campaign} estimate={estimate} />
        <div className="row">
          <StepButton campaignId={id} step="pace">
            Back
          </StepButton>
          <TestSend campaign={campaign} template={template} lines={lines} />
          <Button
            variant="filled"
            leftSection={<IconSend size={16} />}
            {...(isReal && { color: 'var(--real)' })}
            onClick={() => {
              start.reset();
              setIsAsked(true);
            }}
          >
            Start…
          </Button>
        </div>
      </div>
      <Question
        isAsked={isAsked}
        title={`Start “${campaign.name}”?`}
        go={sendAt ? 'Start at its time' : `Send to ${whom}`}
        isPending={start.isPending}
        error={start.error}
        onKeep={() => setIsAsked(false)}
        onGo={() => start.mutate()}
      >
        <p>
          {sendAt ? 'It waits for its time, then goes to ' : 'It goes now to '}
          {sendingWordsOf(estimate?.recipients ?? counts.total, estimate?.seconds)}. You can pause
          and cancel it, but a message that WhatsApp has taken cannot be taken back.
        </p>
      </Question>
    </>
  );
}
