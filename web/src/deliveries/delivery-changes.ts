import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, get } from '../api/client.ts';
import { deliveryQuery } from '../api/delivery-queries.ts';
import type { DeliveryAnswer, ListedEndpoint } from '../api/types.ts';

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
    mutationFn: async () => (await call('POST', '/webhook-deliveries/{id}/redeliver', { id })).data,
    onSuccess,
  });
}

/** Where a test event goes. */
export type TestedEndpoint = Pick<ListedEndpoint, 'api_key_id' | 'endpoint_id'>;

/** Sends an endpoint an event that says nothing but that it arrived. */
export function useTestEvent() {
  const onSuccess = useDeliveryAnswer();
  return useMutation({
    mutationFn: async ({ api_key_id: id, endpoint_id }: TestedEndpoint) => {
      const endpoint = { id, endpoint_id };
      const { data } = await call('POST', '/api-keys/{id}/webhooks/{endpoint_id}/test', endpoint);
      return get('/webhook-deliveries/{id}', { id: data.delivery_id });
    },
    onSuccess,
  });
}
