import './search.css';
import { Button, Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  type Icon,
  IconAddressBook,
  IconAlertCircle,
  IconBolt,
  IconBuilding,
  IconKey,
  IconLayoutDashboard,
  IconMessages,
  IconPlugConnected,
  IconRoute,
  IconSearch,
  IconSpeakerphone,
  IconTemplate,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useState } from 'react';
import { get } from '../api/client.ts';
import type { SearchResult } from '../api/types.ts';
import { comparedWords, lastDigitsWords } from '../parts/compared-words.ts';
import { keyFault, withoutSecret } from '../parts/key-text.ts';
import { Moment } from '../parts/moment.tsx';
import { ModeBadge } from '../parts/status-badge.tsx';
import { usePlace } from '../session/session.tsx';
import { type Action, useActions } from './actions.ts';
import { withModes } from './with-modes.ts';

/** What was found: something with a page, or something to do. */
type Found =
  | SearchResult
  | (Action & {
      readonly kind: 'action';
      readonly id: string;
      readonly mode: null;
      readonly at: null;
    });

const kinds: Record<Found['kind'], { title: string; icon: Icon }> = {
  action: { title: 'Actions', icon: IconBolt },
  page: { title: 'Pages', icon: IconLayoutDashboard },
  contact: { title: 'Contacts', icon: IconAddressBook },
  message: { title: 'Messages', icon: IconMessages },
  event: { title: 'Events', icon: IconWebhook },
  key: { title: 'API keys', icon: IconKey },
  template: { title: 'Templates', icon: IconTemplate },
  request: { title: 'Requests', icon: IconRoute },
  campaign: { title: 'Campaigns', icon: IconSpeakerphone },
  endpoint: { title: 'Endpoints', icon: IconPlugConnected },
  account: { title: 'Accounts', icon: IconBuilding },
  user: { title: 'Users', icon: IconUsers },
  error: { title: 'Error codes', icon: IconAlertCircle },
};

const textMin = 2;
const textMax = 100;
const debounceMs = 150;

interface SearchDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Called when the field has the focus. @returns what was typed before that */
  readonly onField: () => string;
}

/** One search for everything. */
export function SearchDialog({ isOpen, onClose, onField }: SearchDialogProps) {
  return (
    <Modal.Root opened={isOpen} onClose={onClose} size={700} yOffset="9vh" centered={false}>
      <Modal.Overlay />
      <Modal.Content aria-label="Search" radius={12}>
        <div className="finder">
          <Finder onClose={onClose} onField={onField} />
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

const sentText = (text: string) => withoutSecret(text.trim());

function Finder({ onClose, onField }: Omit<SearchDialogProps, 'isOpen'>) {
  const { accountId, account } = usePlace();
  const router = useRouter();
  const id = useId();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const asked = sentText(useDebouncedValue(text, debounceMs)[0]);
  const isLongEnough = asked.length >= textMin;
  const query = useQuery({
    queryKey: ['search', accountId, asked],
    queryFn: async () => (await get('/search', { q: asked, account_id: accountId })).results,
    enabled: isLongEnough,
    placeholderData: keepPreviousData,
  });
  const actions = useActions(isLongEnough ? asked : '');
  const results: readonly Found[] = [
    ...actions.map((action) => ({
      ...action,
      kind: 'action' as const,
      id: action.title,
      mode: null,
      at: null,
    })),
    ...(isLongEnough && !query.isError ? withModes(query.data ?? []) : []),
  ];
  // Enter must not open what was found for another text.
  const isCurrent = asked === sentText(text) && !query.isPlaceholderData;
  const current = results[chosen];

  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, chosen]);

  const open = (found: Found) => {
    onClose();
    if ('run' in found) found.run();
    else router.history.push(found.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (results.length === 0 || event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setChosen((chosen + step + results.length) % results.length);
    } else if (event.key === 'Enter' && current && isCurrent) {
      event.preventDefault();
      if ('href' in current && (event.ctrlKey || event.metaKey))
        window.open(current.href, '_blank', 'noopener');
      else open(current);
    }
  };
  const onClick = (event: MouseEvent, found: Found) => {
    if ('href' in found && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
    event.preventDefault();
    open(found);
  };
  const groups = [...new Set(results.map(({ kind }) => kind))];
  return (
    <>
      <div className="finder-field row">
        <IconSearch size={20} stroke={1.65} aria-hidden="true" />
        <input
          // The dialog opens for this field.
          data-autofocus
          role="combobox"
          aria-label="Search the dashboard"
          aria-expanded={results.length > 0}
          aria-controls={results.length > 0 ? `${id}-list` : undefined}
          aria-autocomplete="list"
          aria-activedescendant={current ? `${id}-${chosen}` : undefined}
          placeholder="Number, name, reference, id, page…"
          autoComplete="off"
          spellCheck={false}
          maxLength={textMax}
          value={text}
          onFocus={() => {
            const typed = onField();
            if (typed !== '') setText((text + typed).slice(0, textMax));
          }}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        <button
          type="button"
          className="finder-close"
          aria-label="Esc: close the search"
          onClick={onClose}
        >
          <kbd>Esc</kbd>
        </button>
      </div>
      <div className="finder-body" aria-busy={isLongEnough && query.isPending}>
        {results.length > 0 && (
          <div role="listbox" id={`${id}-list`} aria-label="Results">
            {groups.map((kind) => (
              <div key={kind} role="group" aria-label={kinds[kind].title}>
                <div className="finder-group" aria-hidden="true">
                  {kinds[kind].title}
                </div>
                {results.map((result, at) => {
                  if (result.kind !== kind) return null;
                  const Sign = kinds[kind].icon;
                  return (
                    <a
                      key={`${result.kind} ${result.id}`}
                      id={`${id}-${at}`}
                      className="finder-result row"
                      role="option"
                      aria-selected={at === chosen}
                      tabIndex={-1}
                      href={'href' in result ? result.href : undefined}
                      onMouseMove={() => setChosen(at)}
                      onClick={(event) => onClick(event, result)}
                    >
                      <Sign size={18} stroke={1.65} aria-hidden="true" />
                      <span className="grow">
                        <span className="cut strong">{result.title}</span>
                        <span className="cut small">{result.subtitle}</span>
                      </span>
                      {result.mode && <ModeBadge mode={result.mode} />}
                      {result.at && (
                        <span className="small">
                          <Moment at={result.at} />
                        </span>
                      )}
                    </a>
                  );
                })}
              </div>
            ))}
          </div>
        )}
        {withoutSecret(text) !== text && (
          <p className="finder-note wrong" role="alert">
            {keyFault}
          </p>
        )}
        {!isLongEnough && (
          <p className="finder-note">
            Search by phone number (any notation, or its last four digits), name, message reference,
            id, API key, template, campaign, endpoint, error code, page, or what you want to do,
            such as “dark” or “sign out”. Type at least two characters.
          </p>
        )}
        {isLongEnough && query.isError && (
          <div className="finder-note" role="alert">
            <p>The search failed: {query.error.message}</p>
            <Button size="xs" mt={8} onClick={() => void query.refetch()}>
              Try again
            </Button>
          </div>
        )}
        {isLongEnough && query.isSuccess && results.length === 0 && (
          <p className="finder-note">
            Nothing matches “{asked}”. The search compares {comparedWords}. {lastDigitsWords}.
          </p>
        )}
      </div>
      <div className="finder-foot row small">
        <span className="finder-keys key-hint">
          <kbd>↑</kbd> <kbd>↓</kbd> choose
        </span>
        <span className="finder-keys key-hint">
          <kbd>Enter</kbd> open
        </span>
        <span role="status" className="finder-count">
          {account?.name ?? 'All accounts'}
          {isLongEnough && query.isSuccess && `, ${results.length} found`}
        </span>
      </div>
    </>
  );
}
