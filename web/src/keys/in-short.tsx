import { IconCheck } from '@tabler/icons-react';
import { Card } from '../parts/card.tsx';
import { permissionLines } from '../parts/permissions.ts';
import { destinationOf } from '../session/destination.ts';
import { usePlace } from '../session/session.tsx';
import { factsOf } from './draft-words.ts';
import type { KeyDraft } from './key-draft.ts';

const listed = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** The settings of a key as sentences. */
export function InShort({ draft }: { draft: KeyDraft }) {
  const { session, account } = usePlace();
  const nounsOf = (verb: 'send' | 'view' | 'manage') =>
    permissionLines
      .filter(({ name }) => name.startsWith(verb) && draft.permissions.includes(name))
      .map(({ noun }) => noun);
  const [sends, views, manages] = [nounsOf('send'), nounsOf('view'), nounsOf('manage')];
  const deeds = [
    ...(sends.length > 0
      ? [`send ${listed.format(sends)} messages${account ? ` as ${account.name}` : ''}`]
      : []),
    ...(views.length > 0 ? [`read ${listed.format(views)}`] : []),
    ...(manages.length > 0 ? [`manage ${listed.format(manages)}`] : []),
  ];
  return (
    <div className="in-short">
      <Card title="Summary">
        <div className="card-body" style={{ display: 'grid', gap: 8 }}>
          <p>
            <b>{draft.name.trim() || 'This key'}</b> can{' '}
            {deeds.length > 0 ? listed.format(deeds) : 'do nothing yet'}.
          </p>
          <p>
            {destinationOf(draft.mode, session) === 'whatsapp' ? (
              <>
                It reaches real people, and <span className="charges">charges apply</span>.
              </>
            ) : (
              'It reaches the simulator only, free.'
            )}
          </p>
          <ul>
            {factsOf(draft).map((fact) => (
              <li key={fact}>
                <IconCheck size={16} aria-hidden="true" />
                {fact}
              </li>
            ))}
          </ul>
        </div>
      </Card>
    </div>
  );
}
