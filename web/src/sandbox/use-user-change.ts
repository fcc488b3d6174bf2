import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { hurry } from '../api/conversation-pace.ts';
import { useReread } from '../api/reread.ts';
import { conversationQuery, simulatorUserQuery } from '../api/simulator-queries.ts';
import { usePlace } from '../session/session.tsx';

/** What the user does to who they are, or to what they want; or who answers them. */
export type UserChange =
  | { readonly hides_phone: boolean }
  | { readonly username: string | null }
  | { readonly stopped_marketing: boolean }
  | { readonly signed_up: boolean }
  | { readonly enforces_window: boolean }
  /** Whether Meta's own agent answers, whoever writes to the business number. */
  | { readonly standby: boolean }
  | 'new id';

/** Who has a phone, as the business number knows them that the conversation was with last. */
export function useSimulatorUser(phone: string) {
  const { accountId } = usePlace();
  const conversation = useQuery(conversationQuery(accountId, phone));
  const numberId = conversation.data?.messages.at(-1)?.phone_number_id;
  const query = useQuery({
    ...simulatorUserQuery(phone, numberId),
    enabled: !conversation.isPending,
    placeholderData: keepPreviousData,
  });
  return { query, numberId };
}

/** Changes who has a phone, or what they want from a business number. */
export function useUserChange(phone: string, numberId: string | undefined, onDone?: () => void) {
  const reread = useReread();
  return useMutation({
    mutationFn: async (given: UserChange): Promise<unknown> => {
      const user = { phone, ...(numberId && { phone_number_id: numberId }) };
      if (given === 'new id') return call('POST', '/simulator/user/new-id', null, user);
      if (!('standby' in given)) return call('PUT', '/simulator/user', null, { ...user, ...given });
      return call('PUT', '/simulator/number', null, {
        ...given,
        ...(numberId && { phone_number_id: numberId }),
      });
    },
    onSuccess: async () => {
      hurry();
      await reread(['simulator-user'], ['conversation']);
      onDone?.();
    },
  });
}
