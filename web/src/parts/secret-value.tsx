import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';

interface SecretValueProps {
  readonly name: string;
  readonly purpose: string;
  readonly value: string;
  readonly isMain?: boolean;
}

/** A secret that is shown once, what it is for, and a button that copies it. */
export function SecretValue({ name, purpose, value, isMain = false }: SecretValueProps) {
  const clipboard = useClipboard({ timeout: 2_000 });
  return (
    <div className="secret">
      <div className="strong">{name}</div>
      <div className="small">{purpose}</div>
      <div className="secret-value">
        <code>{value}</code>
        <Button
          variant={isMain ? 'filled' : 'default'}
          leftSection={clipboard.copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          aria-label={`Copy ${name.toLowerCase()}`}
          onClick={() => clipboard.copy(value)}
        >
          {clipboard.copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
    </div>
  );
}
