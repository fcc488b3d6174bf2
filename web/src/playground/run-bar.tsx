import { Button, Kbd, SegmentedControl, Select, Switch } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import { IconKey, IconPlayerPlay, IconSend } from '@tabler/icons-react';
import type { ApiKey } from '../api/types.ts';
import type { PlaygroundType } from './payloads.ts';

interface RunBarProps {
  readonly type: PlaygroundType;
  readonly keys: readonly ApiKey[];
  readonly apiKey: ApiKey | undefined;
  readonly isReal: boolean;
  readonly isReady: boolean;
  readonly isRunning: boolean;
  readonly onType: (type: PlaygroundType) => void;
  readonly onKey: (id: string) => void;
  readonly onReal: (isReal: boolean) => void;
  readonly onRun: () => void;
}

const types = [
  { value: 'list', label: 'List' },
  { value: 'button', label: 'Buttons' },
  { value: 'template_send', label: 'Template' },
  { value: 'text', label: 'Text' },
  { value: 'media', label: 'Media' },
];

/** The type to try, the key to use, and whether to send for real. */
export function RunBar(props: RunBarProps) {
  const { type, keys, apiKey, isReal, isReady, isRunning } = props;
  const isApple = ['macos', 'ios'].includes(useOs({ getValueInEffect: false }));
  const costs = isReal && apiKey?.mode === 'live';
  return (
    <div className="try-bar" data-real={costs}>
      <SegmentedControl
        aria-label="Type of message"
        data={types}
        value={type === 'template' ? 'template_send' : type}
        onChange={(next) => props.onType(next as PlaygroundType)}
      />
      <Select
        aria-label="Key"
        className="try-key"
        leftSection={<IconKey size={16} />}
        data={keys.map(({ id, name, mode }) => ({
          value: id,
          label: mode === 'test' ? `${name} (test)` : name,
        }))}
        value={apiKey?.id ?? null}
        onChange={(id) => id && props.onKey(id)}
      />
      <div className="try-run row" data-real={costs}>
        <Switch
          className="try-real"
          label={
            <>
              Send for real
              {costs && <span className="try-price real">charges apply</span>}
              {isReal && !costs && <span className="try-price quiet">to the simulator, free</span>}
            </>
          }
          checked={isReal}
          {...(costs && { color: 'var(--real)' })}
          onChange={(event) => props.onReal(event.currentTarget.checked)}
        />
        <Button
          variant="filled"
          {...(costs && { color: 'var(--real)' })}
          leftSection={isReal ? <IconSend size={16} /> : <IconPlayerPlay size={16} />}
          rightSection={
            <Kbd size="xs" className="try-keys">
              {isApple ? '⌘↵' : 'Ctrl ↵'}
            </Kbd>
          }
          disabled={!isReady}
          loading={isRunning}
          onClick={props.onRun}
        >
          {isReal ? 'Send message' : 'Simulate'}
        </Button>
      </div>
    </div>
  );
}
