import './sandbox.css';
import { Button, SegmentedControl, Select } from '@mantine/core';
import { IconDeviceMobile, IconDeviceMobileOff, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { conversationQuery, phonesQuery } from '../api/simulator-queries.ts';
import type { SimulatorPhone } from '../api/types.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { QueryState } from '../parts/query-state.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { usePlace } from '../session/session.tsx';
import { Conversation } from './conversation.tsx';
import { NewPhone } from './new-phone.tsx';
import { manyPhones, PhonesCard } from './phones-card.tsx';
import { ReceivedCard } from './received-card.tsx';
import { UserCard } from './user-card.tsx';

/** The end user's side of the simulator: what arrived, and answers that really go out. */
export function SandboxPage() {
  const { session } = usePlace();
  return (
    <>
      <PageHeader
        title="Sandbox phone"
        sentence="Your customer’s side. Tap, choose or write: your webhook gets the reply. All accounts share these phones."
        actions={
          session.simulator && (
            <Button
              component={Link}
              to="/playground"
              leftSection={<IconTerminal2 size={16} stroke={1.65} />}
            >
              Send another message
            </Button>
          )
        }
      />
      {session.simulator ? (
        <Sandbox />
      ) : (
        <div className="card">
          <EmptyState
            icon={IconDeviceMobileOff}
            title="No simulator here"
            sentence="The sandbox phone is part of the simulator. npm start runs one; in production, set SIMULATOR_URL."
          />
        </div>
      )}
    </>
  );
}

function Sandbox() {
  const { accountId } = usePlace();
  const search = useSearch({ from: '/sandbox' });
  const navigate = useNavigate({ from: '/sandbox' });
  const phones = useQuery(phonesQuery(accountId));
  const [side, setSide] = useState('Phone');
  const [isAdding, setIsAdding] = useState(false);
  const chosen = search.phone ?? phones.data?.[0]?.phone;
  const conversation = useQuery({
    ...conversationQuery(accountId, chosen ?? ''),
    enabled: chosen !== undefined,
  }).data;
  const received = conversation?.deliveries.length;
  const choose = (phone: string) => {
    setIsAdding(false);
    void navigate({ search: { ...search, phone }, replace: true });
  };
  if (!phones.data) return <QueryState query={phones} isCard />;
  return (
    <>
      <StaleNotice query={phones} />
      <div className="sandbox-choice">
        <Select
          aria-label="Phone"
          leftSection={<IconDeviceMobile size={16} />}
          placeholder="No phone yet"
          searchable={phones.data.length > manyPhones}
          nothingFoundMessage="No phone has this in its number"
          data={names(phones.data, chosen)}
          value={chosen ?? null}
          onChange={(phone) => phone && choose(phone)}
        />
        <SegmentedControl
          aria-label="Side"
          fullWidth
          data={[
            'Phone',
            { value: 'Received', label: received ? `Received ${received}` : 'Received' },
          ]}
          value={side}
          onChange={setSide}
        />
      </div>
      <div className="sandbox">
        <PhonesCard
          phones={phones.data}
          chosen={chosen}
          chosenLast={conversation && (conversation.messages.at(-1) ?? null)}
          search={search.q ?? ''}
          onSearch={(q) =>
            void navigate({ search: { ...search, q: q || undefined }, replace: true })
          }
          onChoose={choose}
          onAdd={() => setIsAdding(true)}
        />
        <div className="sandbox-phone" data-off={side !== 'Phone'}>
          {chosen ? (
            <Conversation key={chosen} phone={chosen} />
          ) : (
            <div className="card">
              <EmptyState
                icon={IconDeviceMobile}
                title="No conversation yet"
                sentence="Send a message in the playground, and it arrives here. Or write first, as a customer would."
                action={
                  <div className="row">
                    <Button component={Link} to="/playground" variant="filled">
                      Open playground
                    </Button>
                    <Button onClick={() => setIsAdding(true)}>Add phone</Button>
                  </div>
                }
              />
            </div>
          )}
        </div>
        {chosen && (
          <div className="sandbox-user" data-off={side !== 'Phone'}>
            <UserCard key={chosen} phone={chosen} />
          </div>
        )}
        <div className="sandbox-received" data-off={side !== 'Received'}>
          <ReceivedCard phone={chosen} />
        </div>
      </div>
      <NewPhone isOpen={isAdding} onClose={() => setIsAdding(false)} onAdd={choose} />
    </>
  );
}

/** The phones to choose from; a new one has no conversation yet. */
function names(phones: readonly SimulatorPhone[], chosen: string | undefined): string[] {
  const known = phones.map(({ phone }) => phone);
  return chosen && !known.includes(chosen) ? [chosen, ...known] : known;
}
