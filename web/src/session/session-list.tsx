import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { userSessionsQuery } from '../api/account-queries.ts';
import { call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import type { UserSession } from '../api/types.ts';
import { Moment } from '../parts/moment.tsx';
import { ListState } from '../parts/query-state.tsx';
import { WrongLine } from '../parts/wrong-line.tsx';
import { browserWords } from './browser-words.ts';

/** Where a user is signed in, with what ends it. */
export function SessionList({ userId }: { userId: string }) {
  const sessions = useQuery(userSessionsQuery(userId));
  const reread = useReread();
  const end = useMutation({
    mutationFn: (id: string | null) =>
      id === null
        ? call('DELETE', '/users/{id}/sessions', { id: userId })
        : call('DELETE', '/users/{id}/sessions/{session_id}', { id: userId, session_id: id }),
    onSettled: () => reread(['user-sessions', userId]),
  });
  const others = sessions.data?.filter((session) => !session.is_current) ?? [];
  return (
    <>
      <ListState query={sessions} rows={sessions.data} empty="Nobody is signed in as this user.">
        {(shown) => (
          <ul className="received">
            {shown.map((session) => (
              <SessionLine
                key={session.id}
                session={session}
                isEnding={end.isPending && end.variables === session.id}
                onEnd={() => end.mutate(session.id)}
              />
            ))}
          </ul>
        )}
      </ListState>
      <WrongLine className="card-body" error={end.error} effect="The session goes on." />
      {others.length > 1 && (
        <div className="card-body">
          <Button
            loading={end.isPending && end.variables === null}
            onClick={() => end.mutate(null)}
          >
            {others.length === sessions.data?.length
              ? 'End all sessions'
              : 'End all other sessions'}
          </Button>
        </div>
      )}
    </>
  );
}

interface SessionLineProps {
  readonly session: UserSession;
  readonly isEnding: boolean;
  readonly onEnd: () => void;
}

function SessionLine({ session, isEnding, onEnd }: SessionLineProps) {
  const browser = browserWords(session.user_agent);
  return (
    <li className="card-body spread">
      <div style={{ minWidth: 0 }}>
        <div className="strong cut" title={session.user_agent ?? undefined}>
          {browser}
          {session.is_current && <span className="small"> · this one</span>}
        </div>
        <div className="small">
          {session.address ?? 'Unknown address'} · since <Moment at={session.created_at} /> · last
          used <Moment at={session.last_used_at} />
        </div>
      </div>
      {!session.is_current && (
        <Button
          style={{ flex: 'none' }}
          aria-label={`End the session in ${browser}`}
          loading={isEnding}
          onClick={onEnd}
        >
          End
        </Button>
      )}
    </li>
  );
}
