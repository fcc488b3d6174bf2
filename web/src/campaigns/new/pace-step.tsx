import { Button, NumberInput, SegmentedControl, Switch } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { hourMs } from '../../../../libs/durations/index.ts';
import { ApiFailure, call } from '../../api/client.ts';
import { draftChangeLimits } from '../../api/limits/draft-change.ts';
import { useReread } from '../../api/reread.ts';
import type { Campaign, CampaignDraftChange } from '../../api/types.ts';
import { Card } from '../../parts/card.tsx';
import { fieldMinute, readField } from '../../parts/field-time.ts';
import { rangeWords } from '../../parts/limit-faults.ts';
import { useGuardedMutation } from '../../parts/mutation.ts';
import { TimeField } from '../../parts/time-field.tsx';
import { StepButton } from '../step-button.tsx';
import type { StepProps } from './steps.tsx';

const eventChoices = [
  { value: 'all', label: 'All statuses' },
  { value: 'failed', label: 'Failures only' },
  { value: 'none', label: 'None' },
];

/** How fast the campaign goes, when it begins, who hears of it, and what stops it. */
export function PaceStep({ campaign }: Pick<StepProps, 'campaign'>) {
  const { id } = campaign;
  const reread = useReread();
  const navigate = useNavigate();
  const [perSecond, setPerSecond] = useState<number | null>(campaign.per_second);
  /** Null: as soon as it is started. */
  const [sendAt, setSendAt] = useState(
    campaign.send_at && fieldMinute(new Date(campaign.send_at), 'local'),
  );
  const begin =
    sendAt === null
      ? null
      : readField(sendAt, { zone: 'local', filledWith: campaign.send_at ?? undefined });
  const [events, setEvents] = useState(campaign.message_events);
  const [percent, setPercent] = useState<number | null>(
    campaign.pause_on === null ? null : Math.round(campaign.pause_on.failure_rate * 100),
  );
  const save = useGuardedMutation({
    mutationFn: (change: CampaignDraftChange) => call('PATCH', '/campaigns/{id}', { id }, change),
    onSuccess: async () => {
      await reread(['campaign', id], ['campaigns']);
      await navigate({
        to: '/campaigns/$draftId/draft',
        params: { draftId: id },
        search: { step: 'start' },
      });
    },
  });
  const faults = save.error instanceof ApiFailure ? save.error.fields : {};
  const go = () =>
    save.mutate({
      per_second: perSecond,
      send_at: begin?.at ?? null,
      message_events: events,
      pause_on: percent === null ? null : { failure_rate: percent / 100 },
    });
  return (
    <form
      className="form-page"
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending && !begin?.fault) go();
      }}
    >
      <Card title="Pace and time">
        <div className="form-group">
          <NumberInput
            label="At most a second"
            description={`Recipients a second, ${rangeWords(draftChangeLimits.per_second)}. Empty: as fast as the number may send; single messages always go first.`}
            min={draftChangeLimits.per_second.minimum}
            max={draftChangeLimits.per_second.maximum}
            allowDecimal={false}
            value={perSecond ?? ''}
            error={faults.per_second}
            onChange={(next) => setPerSecond(next === '' ? null : Number(next))}
          />
          <Switch
            label="Begin at a time"
            description="Otherwise it begins as soon as you start it."
            checked={sendAt !== null}
            onChange={(event) =>
              setSendAt(
                event.currentTarget.checked
                  ? fieldMinute(new Date(Date.now() + hourMs), 'local')
                  : null,
              )
            }
          />
          {begin && (
            <TimeField
              label="When it begins"
              description="In the time of your browser; a minute to 35 days ahead."
              value={sendAt ?? ''}
              read={begin}
              error={faults.send_at}
              onChange={setSendAt}
            />
          )}
        </div>
        <div className="form-group">
          <div>
            <div className="field-name" id="draft-events">
              What your webhooks get
            </div>
            <SegmentedControl
              fullWidth
              aria-labelledby="draft-events"
              data={eventChoices}
              value={events}
              onChange={(next) => setEvents(next as Campaign['message_events'])}
            />
          </div>
          <Switch
            label="Pause when too many messages fail"
            description="Of the last 200 messages, once 50 were sent or failed."
            checked={percent !== null}
            onChange={(event) => setPercent(event.currentTarget.checked ? 10 : null)}
          />
          {percent !== null && (
            <NumberInput
              label="Failed messages"
              suffix=" %"
              min={1}
              max={100}
              allowDecimal={false}
              value={percent}
              error={faults['pause_on.failure_rate']}
              onChange={(next) => setPercent(next === '' ? 1 : Number(next))}
            />
          )}
          <p className="secondary">
            It always pauses when WhatsApp pauses the template, refuses the number or flags its
            quality, and at 90 % of the key’s day.
          </p>
        </div>
        <div className="form-foot">
          {save.error && Object.keys(faults).length === 0 && (
            <span className="wrong" role="alert">
              {save.error.message}
            </span>
          )}
          <StepButton campaignId={id} step="recipients">
            Back
          </StepButton>
          <Button type="submit" variant="filled" loading={save.isPending}>
            Next: check and start
          </Button>
        </div>
      </Card>
    </form>
  );
}
