import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** Copies a value; says so for a moment. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const clipboard = useClipboard({ timeout: 1_500 });
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={clipboard.copied ? 'Copied' : label}
      title={clipboard.copied ? 'Copied' : label}
      onClick={() => clipboard.copy(value)}
    >
      {clipboard.copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
    </button>
  );
}
