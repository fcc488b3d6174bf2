import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconMessages, IconTerminal2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { curlOf } from '../parts/code-samples.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { printed } from '../playground/payloads.ts';
import { kindOf, routeOf } from '../playground/playground-types.ts';
import { usePlace } from '../session/session.tsx';

/** What to do where nothing was sent yet. */
export function NoMessage() {
  const { session } = usePlace();
  const clipboard = useClipboard({ timeout: 1_500 });
  const curl = curlOf({
    url: `${session.public_url}${routeOf('button')}`,
    body: printed(kindOf.button.sample),
  });
  return (
    <EmptyState
      icon={IconMessages}
      title="No message yet"
      sentence="Messages sent with your keys, with live status."
      action={
        <div className="row wrap empty-actions">
          <Button
            component={Link}
            to="/playground"
            variant="filled"
            leftSection={<IconTerminal2 size={16} stroke={1.65} />}
          >
            Send one in the playground
          </Button>
          <Button onClick={() => clipboard.copy(curl)}>
            {clipboard.copied ? 'Copied' : 'Copy a curl command'}
          </Button>
        </div>
      }
    />
  );
}
