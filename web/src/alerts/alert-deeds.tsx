import { useMutation } from '@tanstack/react-query';
import { dayMs, hourMs } from '../../../libs/durations/index.ts';
import { call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { Alert } from '../api/types.ts';
import { LazyMenu, useMenu } from '../parts/menu.tsx';
import { Moment } from '../parts/moment.tsx';
import { WrongLine } from '../parts/wrong-line.tsx';
import { ForChangers } from '../session/changers.tsx';
import { usePlace } from '../session/session.tsx';

const mutes = [
  ['For an hour', hourMs],
  ['For 8 hours', 8 * hourMs],
  ['For a day', dayMs],
  ['For a week', 7 * dayMs],
] as const;

interface AlertDeedsProps {
  readonly alert: Alert;
  /** What the alert is called. */
  readonly title: string;
}

/** Who takes care of an alert and until when it is muted, and the ways to change that. */
export function AlertDeeds({ alert, title }: AlertDeedsProps) {
  const { id: myId } = usePlace().session.user;
  const reread = useReread();
  const { opener, opened } = useMenu();
  const change = useMutation({
    mutationFn: (given: { owner_id?: string | null; muted_until?: string | null }) =>
      call('PATCH', '/alerts/{id}', { id: alert.id }, given),
    onSuccess: () => reread(['alerts'], ['overview']),
  });
  const { owner, muted_until: mutedUntil } = alert;
  const isMine = owner?.id === myId;
  const takes = isMine ? 'Give back' : owner ? 'Take over' : 'Take';
  const link = { type: 'button', className: 'link', disabled: change.isPending } as const;
  return (
    <>
      {owner && <span>Taken by {owner.email}</span>}
      {mutedUntil !== null && (
        <span>
          Muted until <Moment at={mutedUntil} to="minute" />
        </span>
      )}
      <ForChangers>
        <button
          {...link}
          aria-label={`${takes}: ${title}`}
          onClick={() => change.mutate({ owner_id: isMine ? null : myId })}
        >
          {takes}
        </button>
        {mutedUntil === null ? (
          <button {...link} {...opener} aria-label={`Mute: ${title}`}>
            Mute
          </button>
        ) : (
          <button
            {...link}
            aria-label={`Unmute: ${title}`}
            onClick={() => change.mutate({ muted_until: null })}
          >
            Unmute
          </button>
        )}
        <LazyMenu {...opened}>
          {(Menu) =>
            mutes.map(([name, ms]) => (
              <Menu.Item
                key={name}
                onClick={() =>
                  change.mutate({ muted_until: new Date(Date.now() + ms).toISOString() })
                }
              >
                {name}
              </Menu.Item>
            ))
          }
        </LazyMenu>
        <WrongLine error={change.error} isSmall />
      </ForChangers>
    </>
  );
}
