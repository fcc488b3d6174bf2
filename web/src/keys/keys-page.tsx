import { Button } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { keysQuery } from '../api/key-queries.ts';
import { ChoiceFilter } from '../lists/choice-filter.tsx';
import { NoMatch } from '../lists/no-match.tsx';
import { SearchInput } from '../lists/search-input.tsx';
import { Table } from '../lists/table.tsx';
import { counted } from '../parts/numbers.ts';
import { PageHeader } from '../parts/page-header.tsx';
import { ListState } from '../parts/query-state.tsx';
import { StaleNotice } from '../parts/stale-notice.tsx';
import { usePlace } from '../session/session.tsx';
import { KeyRow } from './key-row.tsx';

const states = ['active', 'inactive', 'expired', 'revoked', 'suspended'] as const;

/** All keys, with a search and two filters that are kept in the address. */
export function KeysPage() {
  const { accountId, mayChange, mode } = usePlace();
  const search = useSearch({ from: '/keys' });
  const navigate = useNavigate({ from: '/keys' });
  const keys = useQuery(keysQuery(accountId));
  const filter = (change: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...change }, replace: true });
  const wanted = search.q?.toLowerCase() ?? '';
  const rows = (keys.data ?? []).filter(
    (key) =>
      (wanted === '' ||
        key.name.toLowerCase().includes(wanted) ||
        key.display.toLowerCase().startsWith(wanted)) &&
      (!search.state || key.state === search.state) &&
      (!mode || key.mode === mode),
  );
  const isEmpty = keys.data?.length === 0;
  const createLink = mayChange && (
    <Button component={Link} to="/keys/new" variant="filled" leftSection={<IconPlus size={16} />}>
      Create key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        sentence="Programs authenticate with a key. Its permissions say what it can do."
        actions={!isEmpty && createLink}
      />
      <StaleNotice query={keys} />
      {!isEmpty && (
        <div className="filters">
          <SearchInput
            className="search"
            label="Search keys"
            placeholder="Search by name or first letters"
            value={search.q ?? ''}
            onText={(text) => filter({ q: text || undefined })}
          />
          <ChoiceFilter
            name="State"
            choices={states}
            value={search.state}
            onChange={(state) => filter({ state })}
          />
          <span className="count secondary" aria-live="polite">
            {keys.data && `${rows.length} of ${counted(keys.data.length, 'key')}`}
          </span>
        </div>
      )}
      <div className="card table-box">
        <ListState
          query={keys}
          rows={rows}
          empty={
            isEmpty ? (
              {
                icon: IconKey,
                title: 'No API key yet',
                sentence: 'A program needs one to send messages and to read their status.',
                action: createLink,
              }
            ) : (
              <NoMatch
                title="No key matches"
                filters={[search.q && `“${search.q}”`, search.state, mode]}
                onClear={() => filter({ q: undefined, state: undefined, mode: mode && 'both' })}
              />
            )
          }
        >
          {() => (
            <Table
              className="entries keys-table"
              heads={[
                'Name',
                'Key',
                ['Permissions', 'col-permissions'],
                ['Limits', 'col-limits'],
                'Last used',
                'State',
                'On',
              ]}
              unseenHead="Actions"
            >
              {rows.map((key) => (
                <KeyRow key={key.id} apiKey={key} />
              ))}
            </Table>
          )}
        </ListState>
      </div>
    </>
  );
}
