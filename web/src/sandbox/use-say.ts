import { useMutation } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { hurry } from '../api/conversation-pace.ts';
import { useReread } from '../api/reread.ts';
import type { SimulatorEcho, SimulatorInbound, SimulatorReply } from '../api/types.ts';

/** What is said on a phone: the user answers a message, or sends one of their own; or the business writes in its app. */
export type Said =
  | { readonly to: string; readonly body: SimulatorReply }
  | { readonly own: Omit<SimulatorInbound, 'from' | 'phone_number_id'> }
  | { readonly echo: Omit<SimulatorEcho, 'to' | 'phone_number_id'> };

/** Does on a phone what its user does towards a business number, or the business in its app. */
export function useSay(phone: string, numberId: string | undefined) {
  const reread = useReread();
  return useMutation({
    mutationFn: (said: Said) => {
      if ('to' in said) {
        return call('POST', '/simulator/messages/{wamid}/reply', { wamid: said.to }, said.body);
      }
      const number = numberId ? { phone_number_id: numberId } : {};
      return 'own' in said
        ? call('POST', '/simulator/inbound', null, {
            ...said.own,
            from: phone,
            ...number,
          } as SimulatorInbound)
        : call('POST', '/simulator/echoes', null, {
            ...said.echo,
            to: phone,
            ...number,
          } as SimulatorEcho);
    },
    onSuccess: () => {
      hurry();
      return reread(['conversation'], ['phones'], ['simulator-user']);
    },
  });
}
