// The table, as the store defines it. It outlives the stack and has point-in-time recovery for the last 35 days.
import { RemovalPolicy } from "aws-cdk-lib";
import {
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from "aws-cdk-lib/aws-dynamodb";
import type { Construct } from "constructs";
import { INDEXES, TTL_ATTRIBUTE } from "../../src/adapters/store-dynamodb/table.ts";

const text = (name: string) => ({ name, type: AttributeType.STRING });

export const addTable = (scope: Construct): TableV2 =>
  new TableV2(scope, "Threads", {
    partitionKey: text("pk"),
    sortKey: text("sk"),
    globalSecondaryIndexes: Object.entries(INDEXES).map(([indexName, { hash, range }]) => ({
      indexName,
      partitionKey: text(hash),
      sortKey: text(range),
      projectionType: ProjectionType.KEYS_ONLY,
    })),
    billing: Billing.onDemand(),
    encryption: TableEncryptionV2.awsManagedKey(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    timeToLiveAttribute: TTL_ATTRIBUTE,
    // Keys are enough to identify the delivery; no content of a thread leaves the table this way.
    dynamoStream: StreamViewType.KEYS_ONLY,
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  });
