// A name of your own for the function URL: a distribution that caches nothing, streams responses and forwards every header.
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  OriginRequestPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { FunctionUrlOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import type { FunctionUrl } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import type { PawlOptions } from "./options.ts";

/** Returns the name that your DNS record must point to. */
export function addDomain(scope: Construct, url: FunctionUrl, domain: NonNullable<PawlOptions["domain"]>): string {
  const distribution = new Distribution(scope, "Domain", {
    domainNames: [domain.name],
    certificate: Certificate.fromCertificateArn(scope, "Certificate", domain.certificate_arn),
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    defaultBehavior: {
      origin: new FunctionUrlOrigin(url),
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // The function URL refuses requests for another host.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      compress: false,
    },
  });
  return distribution.distributionDomainName;
}
