import { useMutation } from '@tanstack/react-query';
import { call, pathTo } from '../api/client.ts';
import { hurry } from '../api/conversation-pace.ts';
import { useReread } from '../api/reread.ts';
import type { SimulatorInbound, SimulatorReply } from '../api/types.ts';

/** What the user does: answers a message, or sends one of their own. */
export type Said =
  | { readonly to: string; readonly body: SimulatorReply }
  | { readonly own: Omit<SimulatorInbound, 'from' | 'phone_number_id'> };

/** Does on a phone what its user does, towards a business number. */
export function useSay(phone: string, numberId: string | undefined) {
  const reread = useReread();
  return useMutation({
    mutationFn: (said: Said) =>
      'to' in said
        ? call('POST', pathTo`/simulator/messages/${said.to}/reply`, said.body)
        : call('POST', '/simulator/inbound', {
            ...said.own,
            from: phone,
            ...(numberId && { phone_number_id: numberId }),
          }),
    onSuccess: () => {
      hurry();
      return reread(['conversation'], ['phones'], ['simulator-user']);
    },
  });
}
