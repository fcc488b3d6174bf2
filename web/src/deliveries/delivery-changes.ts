import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, get, pathTo } from '../api/client.ts';
import { deliveryQuery } from '../api/delivery-queries.ts';
import type { DeliveryAnswer } from '../api/types.ts';

const post = async (path: string) => (await call<DeliveryAnswer>('POST', path)).data;

/** Shows what an answer says of a delivery, and reads the lists again. */
function useDeliveryAnswer() {
  const client = useQueryClient();
  return async (answer: DeliveryAnswer) => {
    client.setQueryData(deliveryQuery(answer.delivery.id).queryKey, answer);
    const old = [['deliveries'], ['endpoints'], ['overview'], ['key', answer.delivery.api_key_id]];
    await Promise.all(old.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
}

/** Delivers an event once more. */
export function useRedelivery(id: string) {
  const onSuccess = useDeliveryAnswer();
  return useMutation({
    mutationFn: () => post(pathTo`/webhook-deliveries/${id}/redeliver`),
    onSuccess,
  });
}

/** Where a test event goes: to an endpoint of a key, or to the key's own webhook. */
export interface TestedEndpoint {
  readonly keyId: string;
  readonly endpointId?: string;
}

/** Sends an endpoint an event that says nothing but that it arrived. */
export function useTestEvent() {
  const onSuccess = useDeliveryAnswer();
  return useMutation({
    mutationFn: async ({ keyId, endpointId }: TestedEndpoint) => {
      if (endpointId === undefined) return post(pathTo`/api-keys/${keyId}/webhook/test`);
      const path = pathTo`/api-keys/${keyId}/webhooks/${endpointId}/test`;
      const { data } = await call<{ delivery_id: string }>('POST', path);
      return get<DeliveryAnswer>(pathTo`/webhook-deliveries/${data.delivery_id}`);
    },
    onSuccess,
  });
}
