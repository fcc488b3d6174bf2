import { Button } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { download } from '../api/client.ts';
import type { Asked, PathOf } from '../api/operations.ts';
import { LazyMenu, useMenu } from '../parts/menu.tsx';

interface ExportMenuProps<P extends PathOf<'GET'>> {
  readonly path: P;
  /** Its filter, as the page asks for the list. */
  readonly asked: () => Asked<'GET', P>;
}

/** What the list shows, to its end, as a file. */
export function ExportMenu<P extends PathOf<'GET'>>({ path, asked }: ExportMenuProps<P>) {
  const save = useMutation({ mutationFn: (type: string) => download(path, asked(), type) });
  const { opener, opened } = useMenu();
  return (
    <>
      {save.error && (
        <span className="small wrong" role="alert">
          {save.error.message}
        </span>
      )}
      <Button
        {...opener}
        loading={save.isPending}
        leftSection={<IconDownload size={16} />}
        rightSection={<IconChevronDown size={14} />}
      >
        Export
      </Button>
      <LazyMenu {...opened}>
        {(Menu) => (
          <>
            <Menu.Item onClick={() => save.mutate('text/csv')}>As CSV</Menu.Item>
            <Menu.Item onClick={() => save.mutate('application/x-ndjson')}>As NDJSON</Menu.Item>
            <Menu.Label>What the filters show, at most 100,000 rows</Menu.Label>
          </>
        )}
      </LazyMenu>
    </>
  );
}
