import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconSpeakerphone } from '@tabler/icons-react';
import { curlOf } from '../parts/code-samples.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { usePlace } from '../session/session.tsx';

const sample = {
  name: 'Spring sale',
  template_name: 'order_confirmation',
  language: 'en_US',
  per_second: 20,
};

/** How the first campaign is made. */
export function NoCampaign() {
  const { session } = usePlace();
  const clipboard = useClipboard({ timeout: 1_500 });
  const curl = curlOf({
    url: `${session.public_url}/api/v1/external/campaigns`,
    body: JSON.stringify(sample, null, 2),
  });
  return (
    <EmptyState
      icon={IconSpeakerphone}
      title="No campaign yet"
      sentence="Make one here from a file, or let a program make it through the API. Here you follow it, pause it and cancel it."
      action={
        <div className="row wrap empty-actions">
          <Button component="a" href="/docs" target="_blank" rel="noreferrer">
            Open the API reference
          </Button>
          <Button onClick={() => clipboard.copy(curl)}>
            {clipboard.copied ? 'Copied' : 'Copy a curl command'}
          </Button>
        </div>
      }
    />
  );
}
