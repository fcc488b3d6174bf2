import { Button, SegmentedControl, Select } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import { IconKey, IconPlayerPlay, IconSend } from '@tabler/icons-react';
import type { ApiKey, KnownMessageType as TypeName } from '../api/types.ts';
import { MessageType, typeSigns } from '../parts/message-type.tsx';
import { typeNames } from '../parts/type-names.ts';
import { destinationOf } from '../session/destination.ts';
import { usePlace } from '../session/session.tsx';
import { directKinds } from './direct-kinds.ts';
import { interactiveKinds } from './interactive-kinds.ts';
import type { PlaygroundType } from './playground-types.ts';

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

const group = (name: string, types: readonly TypeName[]) => ({
  group: name,
  items: types.map((value) => ({ value, label: typeNames[value] })),
});

const groups = [
  group('Interactive', Object.keys(interactiveKinds) as TypeName[]),
  group('Other', Object.keys(directKinds) as TypeName[]),
  group('Templates', ['template']),
];

const simulateOnly = 'Simulate only';
const sendReal = 'Send real message';

/** The type to try, the key to use, and whether to send for real. */
export function RunBar(props: RunBarProps) {
  const { type, keys, apiKey, isReal, isReady, isRunning } = props;
  // Both ways to fill a template are one type.
  const shown = type === 'template_send' ? 'template' : type;
  const Sign = typeSigns[shown];
  const isApple = ['macos', 'ios'].includes(useOs({ getValueInEffect: false }));
  const { session } = usePlace();
  const costs =
    isReal && apiKey !== undefined && destinationOf(apiKey.mode, session) === 'whatsapp';
  return (
    <div className="try-bar" data-real={costs}>
      <Select
        aria-label="Type of message"
        className="try-choice"
        leftSection={<Sign size={16} stroke={1.65} />}
        data={groups}
        value={shown}
        renderOption={({ option }) => <MessageType type={option.value} />}
        maxDropdownHeight={560}
        onChange={(next) => next && props.onType(next === 'template' ? 'template_send' : next)}
      />
      <Select
        aria-label="Key"
        className="try-choice"
        leftSection={<IconKey size={16} />}
        data={keys.map(({ id, name, mode }) => ({
          value: id,
          label: mode === 'test' ? `${name} (test)` : name,
        }))}
        value={apiKey?.id ?? null}
        onChange={(id) => id && props.onKey(id)}
      />
      <div className="try-run row" data-real={costs}>
        <SegmentedControl
          className="try-real"
          aria-label="What a run does"
          data={[simulateOnly, sendReal]}
          value={isReal ? sendReal : simulateOnly}
          onChange={(mode) => props.onReal(mode === sendReal)}
        />
        {isReal && (
          <span className={costs ? 'try-price real' : 'try-price quiet'}>
            {costs ? 'charges apply' : 'to the simulator, free'}
          </span>
        )}
        <Button
          variant="filled"
          {...(costs && { color: 'var(--real)' })}
          leftSection={isReal ? <IconSend size={16} /> : <IconPlayerPlay size={16} />}
          rightSection={<kbd className="try-keys key-hint">{isApple ? '⌘↵' : 'Ctrl ↵'}</kbd>}
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
