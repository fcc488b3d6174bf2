import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { useReread } from '../api/reread.ts';
import { forgetTexts } from '../session/kept-texts.ts';
import { SecondFactorSetUp } from '../session/second-factor-set-up.tsx';

/** What users see of an installation that requires a second factor until they have one. */
export default function RequiredFactor() {
  const reread = useReread();
  const signOut = useMutation({
    mutationFn: () => call('DELETE', '/session'),
    onSuccess: forgetTexts,
    onSettled: () => reread(['session']),
  });
  return (
    <>
      <p className="secondary">This installation requires one. Everything else waits for it.</p>
      <SecondFactorSetUp onDone={() => void reread(['session'])} />
      <div>
        <Button variant="subtle" loading={signOut.isPending} onClick={() => signOut.mutate()}>
          Sign out
        </Button>
      </div>
    </>
  );
}
