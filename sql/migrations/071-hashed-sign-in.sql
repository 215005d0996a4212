-- Ids of sessions, interactions and device codes are stored as hashes from here on; those in clear end. They live a day at most.
delete from oidc_record where model in ('Session', 'Interaction', 'DeviceCode', 'Ticket');
